"""Lines of chat from one person to another, and lines that are about a peace."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("chat", sa.Column("to_id", sa.String(length=32), nullable=True))
    op.add_column("chat", sa.Column("about", sa.Text(), nullable=False, server_default=""))
    op.create_index(op.f("ix_chat_to_id"), "chat", ["to_id"], unique=False)
