using System.Text;
using Npgsql;

namespace Shop.Data;

public class OrderRepository(NpgsqlConnection connection)
{
  public object? Find(string id)
  {
    var sql = new StringBuilder("select * from orders where id = ");
    sql.Append('"').Append(id).Append('"');
    var command = connection.CreateCommand();
    command.CommandText = sql.ToString(); // ← here
    return command.ExecuteScalar();
  }
}
