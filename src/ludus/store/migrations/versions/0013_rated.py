"""Rated matches, and how strong people are by them."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("rated", sa.String(length=10), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("strength", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "strengths",
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("updated", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_strengths_person_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "title", name=op.f("pk_strengths")),
    )
