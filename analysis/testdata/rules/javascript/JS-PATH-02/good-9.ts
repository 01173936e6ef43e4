const fs = require('fs'), yauzl = require('yauzl')
exports.extractor = (archive, done) => {
  fs.open(archive.filename, 'r', (error, descriptor) => (error ? done(error) : yauzl.fromFd(descriptor, done)))
}
