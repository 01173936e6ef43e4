import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final target = request.url.queryParameters['to'] ?? '/';
  return Response.seeOther(Uri.parse(target)); // ← here
}
