const { DataTypes } = require('sequelize')
module.exports = (sequelize) => sequelize.define('wallet', {
  balance: DataTypes.FLOAT, // ← here
})
