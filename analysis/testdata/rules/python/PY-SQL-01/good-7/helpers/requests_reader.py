import flask


class RequestReader:
    def __init__(self, request: flask.Request):
        self.request = request

    def form_value(self, name: str):
        return self.request.form.get(name)

    def fixed_value(self, name: str):
        return 'bar'
