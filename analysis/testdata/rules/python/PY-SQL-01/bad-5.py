def by_name(connection, name):
    return connection.execute("select * from users where name = '%s'" % name)  # ← here
