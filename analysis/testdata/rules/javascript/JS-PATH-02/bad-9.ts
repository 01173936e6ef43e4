const fs = require('fs'), JSZip = require('jszip')
exports.extract = async (data, folder) => {
  const zip = await JSZip.loadAsync(data)
  Object.keys(zip.files).forEach(async (name) => {
    const content = await zip.files[name].async('nodebuffer')
    fs.writeFileSync(folder + '/' + name, content) // ← here
  })
}
