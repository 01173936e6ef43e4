import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final name = request.url.queryParameters['name'];
  final rows = await db.rawQuery("select * from users where name = '$name'"); // ← here
  return Response.ok('${rows.length}');
}
