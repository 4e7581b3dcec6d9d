"""Names compare by their looks."""

from alembic import op

from ludus.store.people import key_by_looks

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    key_by_looks(op.get_bind())
