const fastify = require('fastify')()

// `//other-host/folder` is a path that leads to the other host.
fastify.get('/*', (request, reply) => {
  reply.redirect(request.raw.url + '/') // ← here
})

function requireLogin(req, res, next) {
  if (req.user) return next()
  req.session.returnTo = req.originalUrl // ← here
  res.redirect('/login')
}

function isSafeRedirect(url) { // ← here
  if (/\/\//.test(url)) return false
  return !/^[a-z]+:/i.test(url)
}

module.exports = { fastify, requireLogin, isSafeRedirect }
