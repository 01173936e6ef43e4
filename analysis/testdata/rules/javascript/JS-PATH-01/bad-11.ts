const fs = require('fs')
const { router } = require('little-router')

module.exports = router({
  '/media/`rest...`': (request, response, details) => {
    fs.createReadStream(process.cwd() + '/' + details.rest).pipe(response) // ← here
  },
})
