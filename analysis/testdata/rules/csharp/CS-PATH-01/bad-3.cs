using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly string root = "/data";
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(IFormFile upload)
  {
    var target = Path.Combine(root, upload.FileName);
    using var stream = new FileStream(target, FileMode.Create); // ← here
    await upload.CopyToAsync(stream);
    return Ok();
  }
}
