import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final name = request.url.queryParameters['name'];
  return Response.ok(jsonEncode({'name': name}), headers: {'content-type': 'application/json'});
}
