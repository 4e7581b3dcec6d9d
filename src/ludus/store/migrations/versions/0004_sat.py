"""Everybody who ever sat at a seat, not only the last one."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sat",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_sat_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", "person_id", name=op.f("pk_sat")),
    )
    op.create_index(op.f("ix_sat_person_id"), "sat", ["person_id"], unique=False)
    op.execute(
        "INSERT INTO sat (match_id, seat, person_id)"
        " SELECT match_id, seat, person_id FROM seats WHERE person_id IS NOT NULL"
        " UNION SELECT match_id, seat, former_id FROM seats WHERE former_id IS NOT NULL"
    )
    # Bots wait while nobody holds a seat.
    op.execute(
        "UPDATE matches SET bot_due = NULL WHERE NOT EXISTS (SELECT 1 FROM seats"
        " WHERE match_id = matches.id AND kind = 'person' AND person_id IS NOT NULL)"
    )
