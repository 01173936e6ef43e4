import 'package:shelf/shelf.dart';

const targets = {'home': '/', 'shop': '/shop'};

Response go(Request request) => Response.found(targets[request.url.queryParameters['to']] ?? '/');
