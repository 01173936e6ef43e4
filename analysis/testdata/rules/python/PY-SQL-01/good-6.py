def count(connection, table):
    return connection.execute('select count(*) from ' + table)
