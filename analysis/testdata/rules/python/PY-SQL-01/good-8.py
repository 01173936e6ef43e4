class SchemaEditor:
    def __init__(self, connection):
        self.connection = connection

    def execute(self, statement, params=()):
        with self.connection.cursor() as cursor:
            cursor.execute(statement, params)

    def set_default(self, table, column, default):
        self.execute(f'update {table} set {column} = {default} where {column} is null')
