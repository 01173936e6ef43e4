using Microsoft.Data.SqlClient;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly SqlConnection connection;
  private static readonly HashSet<string> Columns = new() { "id", "name" };
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    if (!Columns.Contains(id)) return BadRequest();
    using var command = new SqlCommand($"select * from orders order by {id}", connection);
    return Ok(command.ExecuteScalar());
  }
}
