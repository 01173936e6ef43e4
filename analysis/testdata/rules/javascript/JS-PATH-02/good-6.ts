const fs = require('fs'), path = require('path'), JSZip = require('jszip')
exports.extract = async (data, folder) => {
  const zip = await JSZip.loadAsync(data)
  Object.keys(zip.files).forEach(async (name) => {
    const content = await zip.files[name].async('nodebuffer')
    const target = path.resolve(folder, name)
    if (target.startsWith(folder + path.sep)) fs.writeFileSync(target, content)
  })
}
