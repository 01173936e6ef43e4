import 'package:http/http.dart' as http;
import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final url = Uri.parse(request.url.queryParameters['url']!);
  if (!const {'api.example.com'}.contains(url.host)) return Response.forbidden('');
  final page = await http.get(url);
  return Response.ok(page.body);
}
