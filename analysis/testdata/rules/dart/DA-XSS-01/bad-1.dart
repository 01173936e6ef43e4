import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final name = request.url.queryParameters['name'];
  return Response.ok('<h1>Hello $name</h1>', headers: {'content-type': 'text/html'}); // ← here
}
