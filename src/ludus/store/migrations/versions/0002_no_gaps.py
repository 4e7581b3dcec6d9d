"""The entries of a match are numbered 1, 2, 3, ...: the database itself refuses a gap."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SQLITE = """
CREATE TRIGGER entries_without_gaps BEFORE INSERT ON entries
WHEN NEW.number <> 1 + (SELECT COALESCE(MAX(number), 0) FROM entries WHERE match_id = NEW.match_id)
BEGIN SELECT RAISE(ABORT, 'the entries of a match have no gaps'); END
"""
POSTGRES = (
    """
CREATE FUNCTION entries_without_gaps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.number <> 1 + (SELECT COALESCE(MAX(number), 0) FROM entries WHERE match_id = NEW.match_id) THEN
        RAISE EXCEPTION 'the entries of a match have no gaps'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$
""",
    """
CREATE TRIGGER entries_without_gaps BEFORE INSERT ON entries
FOR EACH ROW EXECUTE FUNCTION entries_without_gaps()
""",
)


def upgrade() -> None:
    for statement in (SQLITE,) if op.get_bind().dialect.name == "sqlite" else POSTGRES:
        op.execute(statement)
