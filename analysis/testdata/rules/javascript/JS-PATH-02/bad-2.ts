const yauzl = require('yauzl'), fs = require('fs'), path = require('path')
function extract(zip, folder) {
  zip.on('entry', (entry) => {
    const target = path.join(folder, entry.fileName)
    zip.openReadStream(entry, (error, stream) => stream.pipe(fs.createWriteStream(target))) // ← here
  })
}
module.exports = extract
