import fastify from 'fastify'

fastify().get('/name', (request, reply) => reply.send(request.headers.host))
