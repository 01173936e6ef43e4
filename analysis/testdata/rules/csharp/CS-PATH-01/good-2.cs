using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    var path = Path.GetFullPath(Path.Combine("/data/files", id));
    if (!path.StartsWith("/data/files/")) return BadRequest();
    return Ok(System.IO.File.ReadAllText(path));
  }
}
