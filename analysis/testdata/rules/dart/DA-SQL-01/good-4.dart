import 'package:shelf/shelf.dart';

const columns = {'name', 'price'};

Future<Response> list(Request request) async {
  final sort = request.url.queryParameters['sort'] ?? 'name';
  if (!columns.contains(sort)) return Response.badRequest();
  await db.rawQuery('select * from items order by $sort');
  return Response.ok('');
}
