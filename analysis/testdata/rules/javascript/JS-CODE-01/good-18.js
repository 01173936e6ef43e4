// An outgoing request has no parsed query.
module.exports = (request) => eval(request.handlerName)
