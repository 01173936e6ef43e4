const logger = require('./logger')
exports.check = (bvn) => { logger.info(`checking ${bvn}`) } // ← here
