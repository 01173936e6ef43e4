import io

import lxml.etree
from flask import request


@app.route('/employee')
def employee():
    root = lxml.etree.parse('employees.xml')
    query = io.StringIO()
    query.write("/employees/employee[@id='")
    query.write(request.args.get('id', ''))
    query.write("']")
    return str(root.xpath(query.getvalue()))  # ← here
