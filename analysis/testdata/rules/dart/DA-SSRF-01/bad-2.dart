import 'package:dio/dio.dart';
import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final host = request.url.queryParameters['host'];
  final page = await Dio().get('http://$host/status'); // ← here
  return Response.ok(page.data);
}
