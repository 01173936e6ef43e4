const express = require('express')
const url = require('url')

express().get('/login', (req, res) => {
  res.redirect(url.format({ pathname: '/sign-in', query: req.query }))
})
