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
    using var command = new SqlCommand("select * from orders where id = @id", connection);
    command.Parameters.AddWithValue("@id", id);
    return Ok(command.ExecuteScalar());
  }
}
