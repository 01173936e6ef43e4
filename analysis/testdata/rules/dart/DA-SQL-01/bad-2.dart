import 'package:shelf/shelf.dart';

class Users {
  final Database db;
  Users(this.db);

  Future<Response> show(Request request, String id) async {
    await db.execute('delete from users where id = $id'); // ← here
    return Response.ok('done');
  }
}
