from lxml import etree
from flask import Flask, request
app = Flask(__name__)

tree = etree.parse('people.xml')

@app.route('/person')
def person():
    return str(tree.xpath('//person[@name=$name]', name=request.args['name']))
