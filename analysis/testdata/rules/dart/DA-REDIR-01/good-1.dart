import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final page = request.url.queryParameters['page'];
  return Response.found('/items?page=$page');
}
