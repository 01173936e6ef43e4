class UsersController < ApplicationController
  def update
    current_user.update(user_params)
  end

  private

  def user_params
    params.expect(user: [:name, :email])
  end
end
