import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final body = jsonDecode(await request.readAsString());
  var sql = 'select * from orders where owner = ';
  sql += "'" + body['owner'] + "'";
  await connection.query(sql); // ← here
  return Response.ok('');
}
