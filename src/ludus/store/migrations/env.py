"""Alembic runs this: migrations happen on the connection, and in the transaction, that it was given."""

from alembic import context

from ludus.store.schema import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    transactional_ddl=True,
    render_as_batch=connection.dialect.name == "sqlite",
)
context.run_migrations()
