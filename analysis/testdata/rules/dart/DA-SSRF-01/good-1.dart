import 'package:http/http.dart' as http;
import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final id = request.url.queryParameters['id'];
  final page = await http.get(Uri.parse('https://api.example.com/items/$id'));
  return Response.ok(page.body);
}
