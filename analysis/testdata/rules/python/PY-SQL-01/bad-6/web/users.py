from flask import request


def init(app, connection):
    @app.route('/users', methods=['POST'])
    def users():
        import helpers.requests_reader

        reader = helpers.requests_reader.RequestReader(request)
        name = reader.form_value('name')
        cursor = connection.cursor()
        cursor.execute(f"select * from users where name = '{name}'")  # ← here
        return str(cursor.fetchall())
