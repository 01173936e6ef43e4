using Microsoft.Data.SqlClient;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly SqlConnection connection;
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    var order = id switch { "name" => "name", "date" => "created_at", _ => "id" };
    using var command = new SqlCommand("select * from orders order by " + order, connection);
    return Ok(command.ExecuteScalar());
  }
}
