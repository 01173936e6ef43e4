import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final next = request.url.queryParameters['next'] ?? '/';
  if (!next.startsWith('/') || next.startsWith('//')) return Response.found('/');
  return Response.found(next);
}
