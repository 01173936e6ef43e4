import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  return Response.found(request.url.queryParameters['next']!); // ← here
}
