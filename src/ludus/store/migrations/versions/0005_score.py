"""How the seats of a match stand, for lists: known from its next move on."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("score", sa.String(length=80), nullable=False, server_default=""))
