const libxml = require('libxmljs')
libxml.parseXml('<a/>', { noent: true })
