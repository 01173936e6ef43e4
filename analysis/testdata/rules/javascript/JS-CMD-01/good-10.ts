const { exec } = require('child_process')
const NAME = 'status'
exec('git ' + NAME)
