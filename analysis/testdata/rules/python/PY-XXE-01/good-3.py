from lxml import etree

def rates():
    return etree.parse('/srv/rates.xml')
