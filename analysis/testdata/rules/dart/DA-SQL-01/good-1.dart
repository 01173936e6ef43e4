import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final name = request.url.queryParameters['name'];
  await db.rawQuery('select * from users where name = ?', [name]);
  return Response.ok('');
}
