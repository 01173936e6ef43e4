import elementpath
import xml.etree.ElementTree as ET
from flask import Flask, request
app = Flask(__name__)

@app.route('/person')
def person():
    root = ET.parse('people.xml')
    return str(elementpath.select(root, "/people/person[@id='%s']" % request.args['id']))  # ← here
