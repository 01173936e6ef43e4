import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final id = int.parse(request.url.queryParameters['id'] ?? '0');
  await db.rawQuery('select * from users where id = $id');
  return Response.ok('');
}
