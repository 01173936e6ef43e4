from lxml import etree
from flask import Flask, request
app = Flask(__name__)

tree = etree.parse('people.xml')

@app.route('/person')
def person():
    name = request.args['name']
    if "'" in name:
        return 'no', 400
    return str(tree.xpath(f"//person[@name='{name}']"))
