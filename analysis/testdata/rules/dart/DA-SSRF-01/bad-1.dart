import 'package:http/http.dart' as http;
import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final url = request.url.queryParameters['url']!;
  final page = await http.get(Uri.parse(url)); // ← here
  return Response.ok(page.body);
}
